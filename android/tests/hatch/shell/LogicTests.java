package hatch.shell;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.json.JSONObject;

/** The app's own logic on a JVM: first as javac made it, then as it stands in the APK. */
public final class LogicTests {
    private static final String SHOP = "https://shop.example.com";
    private static final String SCHEME = "app.hatch.customer";
    private static int passed;
    private static int failed;

    public static void main(String[] args) throws Exception {
        versions();
        assets();
        links();
        messages();
        fuzzLinks();
        fuzzMessages();
        small();
        offers();
        downloads();
        printing();
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String name, boolean isGood) {
        if (isGood) passed++;
        else failed++;
        if (!isGood) System.out.println("FAIL " + name);
    }

    private static void equal(String name, Object found, Object wanted) {
        check(name + ": " + found + " is not " + wanted, wanted == null ? found == null : wanted.equals(found));
    }

    private static void versions() {
        check("numbers, not letters", Versions.isNewer("3.10.0", "3.9.99") && !Versions.isNewer("3.9.99", "3.10.0"));
        check("the same is not newer", !Versions.isNewer("v3.10.18", "3.10.18"));
        equal("code", Versions.code(Versions.parse("3.10.18")), 3010018);
        check("two numbers", Versions.isNewer("3.11", "3.10.18"));
        for (String bad : new String[] {null, "", "3", "a.b.c", "3.10.18.1", "3.1000.0", "9999.0.0", "-1.0.0", "3.10.18-rc"}) {
            check("bad version " + bad, Versions.parse(bad) == null && !Versions.isNewer(bad, "0.0"));
        }
    }

    private static void assets() {
        equal("root", AssetRouter.assetOf("/"), "www/index.html");
        equal("a page", AssetRouter.assetOf("/orders/17/payment/callback"), "www/index.html");
        equal("a file", AssetRouter.assetOf("/assets/app.js"), "www/assets/app.js");
        for (String bad : new String[] {null, "", "x.js", "/../secret.txt", "/assets/../../x.js", "/a\\..\\b.js", "/a\0.js", "/./x.js"}) {
            equal("no asset of " + bad, AssetRouter.assetOf(bad), null);
        }
        check("pictures", AssetRouter.isPicture("/pictures/burger-400.svg") && AssetRouter.isPicture("/uploads/ab-400.webp"));
        for (String bad : new String[] {"/v1/orders.png", "/pictures/../v1/a.png", "/pictures/a.js", "/uploads/a.apk", "/admin/a.png"}) {
            check("no picture " + bad, !AssetRouter.isPicture(bad));
        }
        equal("type", AssetRouter.typeOf("www/a.JS"), "text/javascript");
    }

    private static void links() {
        equal("own page", Links.targetOf("https://appassets.androidplatform.net/menu"), Links.Target.APP);
        equal("lookalike", Links.targetOf("https://appassets.androidplatform.net.evil.example/"), Links.Target.TAB);
        equal("telephone", Links.targetOf("tel:+441234567"), Links.Target.OTHER);
        String[] refused = {"https://appassets.androidplatform.net@evil.example/", "intent://x#Intent;end", "file:///etc/hosts", "content://x/y",
            "javascript:alert(1)", "data:text/html,x", "http://shop.example.com/", "::", "", null, "market://x"};
        for (String bad : refused) equal("refused " + bad, Links.targetOf(bad), Links.Target.REFUSED);
        equal("payment", Links.pathOf(SHOP + "/orders/17/payment/callback?status=ok", SHOP, SCHEME), "/orders/17/payment/callback?status=ok");
        equal("scheme", Links.pathOf(SCHEME + "://orders/17/payment/callback", SHOP, SCHEME), "/orders/17/payment/callback");
        equal("sign-in", Links.pathOf(SCHEME + "://auth/callback?app_code=x-1", SHOP, SCHEME), "/auth/callback?app_code=x-1");
        equal("a mail's token", Links.pathOf(SHOP + "/orders/17#token=abc", SHOP, SCHEME), "/orders/17#token=abc");
        equal("menu", Links.pathOf(SHOP + "/menu#x", SHOP, SCHEME), "/menu");
        equal("port", Links.pathOf(SHOP + ":443/menu", SHOP, SCHEME), "/menu");
        String[] closed = {SHOP + "/admin/stores", SHOP + "/kitchen", SHOP + "/store/orders", SCHEME + "://admin/stores", SCHEME + "://kitchen",
            "https://evil.example/orders/1", "http://shop.example.com/orders/1", "https://shop.example.com:8443/orders/1", "https://u@shop.example.com/orders/1",
            SHOP + "/orders/%2e%2e/admin", SHOP + "/orders/1/../../admin", SHOP + "//admin", SCHEME + ":admin", SCHEME + "://orders", "app.hatch.other://orders/1", null};
        for (String bad : closed) equal("closed " + bad, Links.pathOf(bad, SHOP, SCHEME), null);
        equal("shop", Links.shopOf(" https://Shop.example.com:443/menu ", false), SHOP);
        equal("loopback in debug", Links.shopOf("http://127.0.0.1:3000", true), "http://127.0.0.1:3000");
        for (String bad : new String[] {"http://127.0.0.1:3000", "http://shop.example.com", "https://u:p@shop.example.com", "ftp://a.example", AssetRouter.ORIGIN, "", null}) {
            equal("no shop " + bad, Links.shopOf(bad, false), null);
        }
        check("only loopback in debug", Links.shopOf("http://192.168.1.2", true) == null);
        check("origins", Links.sameOrigin(SHOP + "/a", SHOP) && !Links.sameOrigin("https://shop.example.com.evil.example/a", SHOP));
    }

    private static void messages() throws Exception {
        equal("read", Messages.read("{\"type\":\"read\",\"name\":\"token\",\"key\":\"k\"}", "k").getString("name"), "token");
        String[] good = {"{\"type\":\"alarm\",\"gain\":0.5,\"pause\":4,\"key\":\"k\"}", "{\"type\":\"write\",\"name\":\"a\",\"value\":null,\"key\":\"k\"}",
            "{\"type\":\"notify\",\"id\":1,\"title\":\"a\",\"text\":\"b\",\"path\":\"/orders/1\",\"key\":\"k\"}", "{\"type\":\"ready\",\"key\":\"k\"}"};
        for (String each : good) check("understood " + each, refusal(each, "k") == null);
        String[] bad = {"", "null", "[]", "{}", "{\"type\":\"app\"}", "{\"type\":\"app\",\"key\":\"x\"}", "{\"type\":\"app\",\"key\":1}", "{\"type\":\"exec\",\"key\":\"k\"}",
            "{\"type\":\"read\",\"name\":\"../x\",\"key\":\"k\"}", "{\"type\":\"alarm\",\"gain\":2,\"pause\":1,\"key\":\"k\"}", "{\"type\":\"alarm\",\"gain\":\"1\",\"pause\":1,\"key\":\"k\"}",
            "{\"type\":\"notify\",\"id\":1,\"title\":\"a\",\"text\":\"b\",\"path\":\"//evil\",\"key\":\"k\"}", "{\"type\":\"lock\",\"on\":true,\"pin\":\"abc\",\"key\":\"k\"}",
            "{\"type\":\"print\",\"job\":\"a\",\"host\":\"a b\",\"port\":1,\"reply\":1,\"content\":\"\",\"key\":\"k\"}", "{\"type\":\"update\",\"action\":\"rm\",\"key\":\"k\"}"};
        for (String each : bad) check("refused " + each, refusal(each, "k") != null);
        check("no key yet", refusal("{\"type\":\"app\",\"key\":\"\"}", "") != null);
    }

    private static String refusal(String text, String key) {
        try {
            Messages.read(text, key);
            return null;
        } catch (Messages.Refused e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String strange(Random random, String[] parts, int most) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(most); n > 0; n--) {
            if (random.nextInt(6) == 0) text.append((char) random.nextInt(0x2000));
            else text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString();
    }

    private static void fuzzLinks() {
        Random random = new Random(21);
        String[] parts = {SHOP, SCHEME, "://", ":", "/", "//", "..", ".", "%2e", "%2F", "orders", "admin", "kitchen", "store", "menu", "auth", "callback", "payment", "a1", "?", "#",
            "@", ":443", ":80", "\\", "evil.example", "https", "http", "intent", "javascript", "appassets.androidplatform.net", " ", "\n", "\0", "&", "="};
        int crashes = 0, wrong = 0, opened = 0;
        for (int i = 0; i < 10_000; i++) {
            String link = i % 3 == 0 ? (i % 2 == 0 ? SHOP + "/" : SCHEME + "://") + strange(random, parts, 8) : strange(random, parts, 12);
            try {
                String path = Links.pathOf(link, SHOP, SCHEME);
                Links.targetOf(link);
                Links.shopOf(link, true);
                if (path == null) continue;
                opened++;
                URI there = new URI(AssetRouter.ORIGIN + path);
                boolean isOwn = AssetRouter.HOST.equals(there.getHost()) && there.getUserInfo() == null && there.getPort() == -1;
                boolean isStaff = there.normalize().getPath().matches("/+(admin|kitchen|store)(/.*)?");
                if (!isOwn || isStaff || Links.targetOf(AssetRouter.ORIGIN + path) != Links.Target.APP) wrong++;
            } catch (Exception | StackOverflowError e) {
                crashes++;
                System.out.println("crash: " + link + " " + e);
            }
        }
        equal("crashes in 10,000 links", crashes, 0);
        equal("links to the staff or away in 10,000", wrong, 0);
        check("some of them open something", opened > 50);
    }

    private static void fuzzMessages() {
        Random random = new Random(42);
        String[] parts = {"{", "}", "[", "]", "\"type\"", "\"key\"", "\"k\"", ":", ",", "\"print\"", "\"alarm\"", "\"gain\"", "\"open\"", "\"url\"", "\"javascript:1\"", "1e999", "-1", "null",
            "true", "\"\\u0000\"", "'", "//", "\"port\"", "\"host\"", "99999999999999999999", "\"write\"", "\"name\"", "\"token\""};
        int crashes = 0, understood = 0;
        for (int i = 0; i < 10_000; i++) {
            String text = i % 4 == 0 ? "{\"key\":\"k\",\"type\":" + strange(random, parts, 10) + "}" : strange(random, parts, 16);
            try {
                if (refusal(text, "k") == null) understood++;
            } catch (Exception | StackOverflowError e) {
                crashes++;
                System.out.println("crash: " + text + " " + e);
            }
        }
        StringBuilder deep = new StringBuilder();
        for (int i = 0; i < 100_000; i++) deep.append('[');
        check("deep", refusal("{\"key\":\"k\",\"a\":" + deep, "k") != null);
        equal("crashes in 10,000 messages", crashes, 0);
        check("most are refused", understood < 2000);
    }

    private static void small() throws Exception {
        equal("WebView", WebViews.versionOf("Mozilla/5.0 (Linux; Android 16; wv) Chrome/140.0.0.0 Mobile"), 140);
        equal("no WebView", WebViews.versionOf(null), 0);
        int[] kept = {0};
        StartCount starts = new StartCount(new StartCount.Kept() {
            @Override public int read() {
                return kept[0];
            }

            @Override public void write(int count) {
                kept[0] = count;
            }
        });
        check("three may fail", !starts.begin() && !starts.begin() && !starts.begin() && starts.begin());
        starts.succeed();
        check("one that runs counts anew", !starts.begin());
        check("louder", Loudness.gainAfter(0) < Loudness.gainAfter(60) && Loudness.gainAfter(500) == 1.0 && Loudness.pauseAfter(500) == 2.0);
        check("steps", Loudness.step(0.01, 7) == 1 && Loudness.step(1, 7) == 7 && Loudness.step(0.3, 7) == 3);
        String sealed = Lock.sealed("1234");
        check("PIN", Lock.fits("1234", sealed) && !Lock.fits("1235", sealed) && !Lock.fits("", sealed) && !sealed.contains("1234"));
        check("two seals differ", !sealed.equals(Lock.sealed("1234")));
    }

    private static void offers() throws Exception {
        JSONObject good = new JSONObject().put("version", "3.10.19").put("download_url", SHOP + "/uploads/a.apk").put("sha256", hash(new byte[] {1})).put("size", 9).put("notes", "n");
        check("an offer", UpdateOffer.read(good.toString(), SHOP, "3.10.18") != null);
        String[][] changes = {{"version", "3.10.18"}, {"version", "3.9.99"}, {"version", "x"}, {"download_url", "https://evil.example/a.apk"}, {"download_url", "http://shop.example.com/a.apk"},
            {"sha256", "00"}, {"sha256", "../../x"}};
        for (String[] change : changes) {
            String offer = new JSONObject(good.toString()).put(change[0], change[1]).toString();
            check("no offer " + Arrays.toString(change), UpdateOffer.read(offer, SHOP, "3.10.18") == null);
        }
        check("too large", UpdateOffer.read(new JSONObject(good.toString()).put("size", 1L << 30).toString(), SHOP, "3.10.18") == null);
        for (String bad : new String[] {"", "[]", "{}", "null"}) check("no offer " + bad, UpdateOffer.read(bad, SHOP, "3.10.18") == null);
    }

    private static String hash(byte[] bytes) {
        return UpdateFile.hex(UpdateFile.sha256().digest(bytes));
    }

    /** What one attempt to update came to: `installed`, or why not, and how many files are left. */
    private static String attempt(File folder, int port, String path, byte[] whole, UpdateFile.Meta next, List<String> ranges) throws Exception {
        JSONObject offer = new JSONObject().put("version", "3.10.19").put("download_url", SHOP + path).put("sha256", hash(whole)).put("size", whole.length);
        UpdateFile.Phone phone = new UpdateFile.Phone() {
            @Override public UpdateFile.Meta installed() {
                return meta(SCHEME, 3010018, "aa");
            }

            @Override public UpdateFile.Meta inspect(File apk) {
                return next;
            }

            @Override public HttpURLConnection open(URL url) throws java.io.IOException {
                return (HttpURLConnection) new URL("http://127.0.0.1:" + port + url.getPath()).openConnection();
            }

            @Override public void progress(int percent) {
                ranges.add(String.valueOf(percent));
            }

            @Override public boolean isStopped() {
                return false;
            }
        };
        String result;
        try {
            File apk = new UpdateFile(phone, folder).fetch(UpdateOffer.read(offer.toString(), SHOP, "3.10.18"), SHOP);
            result = Arrays.equals(Files.readAllBytes(apk.toPath()), whole) ? "installed" : "another file";
        } catch (UpdateFile.Refused e) {
            result = e.getMessage();
        } catch (java.io.IOException e) {
            result = "again";
        }
        return result + ", " + folder.list().length + " left";
    }

    private static UpdateFile.Meta meta(String name, long code, String signer) {
        return new UpdateFile.Meta(name, code, Collections.singleton(signer));
    }

    private static void downloads() throws Exception {
        byte[] apk = new byte[300_000];
        new Random(1).nextBytes(apk);
        byte[] other = apk.clone();
        other[77]++;
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/ok", x -> {
            String range = x.getRequestHeaders().getFirst("Range");
            asked.add(String.valueOf(range));
            int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
            if (range != null) x.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (apk.length - 1) + "/" + apk.length);
            x.sendResponseHeaders(range == null ? 200 : 206, apk.length - from);
            x.getResponseBody().write(apk, from, apk.length - from);
            x.close();
        });
        server.createContext("/cut", x -> {
            x.sendResponseHeaders(200, apk.length);
            x.getResponseBody().write(apk, 0, 100_000);
            x.getResponseBody().flush();
            x.close();
        });
        server.createContext("/wrong", x -> {
            x.sendResponseHeaders(200, other.length);
            x.getResponseBody().write(other);
            x.close();
        });
        server.createContext("/long", x -> {
            x.sendResponseHeaders(200, 0);
            x.getResponseBody().write(apk);
            x.getResponseBody().write(apk);
            x.close();
        });
        server.createContext("/short", x -> {
            x.sendResponseHeaders(200, 1000);
            x.getResponseBody().write(apk, 0, 1000);
            x.close();
        });
        server.createContext("/away", x -> {
            x.getResponseHeaders().set("Location", "https://evil.example/ok");
            x.sendResponseHeaders(302, -1);
            x.close();
        });
        server.createContext("/busy", x -> {
            x.sendResponseHeaders(503, -1);
            x.close();
        });
        server.createContext("/gone", x -> {
            x.sendResponseHeaders(404, -1);
            x.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        UpdateFile.Meta good = meta(SCHEME, 3010019, "aa");
        List<String> progress = new ArrayList<>();
        equal("whole", attempt(folder(), port, "/ok", apk, good, progress), "installed, 1 left");
        check("progress", progress.contains("100"));
        File broken = folder();
        equal("cut off", attempt(broken, port, "/cut", apk, good, progress), "again, 1 left");
        asked.clear();
        equal("resumed", attempt(broken, port, "/ok", apk, good, progress), "installed, 1 left");
        check("from where it stopped " + asked, asked.size() == 1 && asked.get(0).matches("bytes=[1-9]\\d+-"));
        asked.clear();
        equal("kept", attempt(broken, port, "/ok", apk, good, progress), "installed, 1 left");
        check("not asked again", asked.isEmpty());
        File corrupted = folder();
        attempt(corrupted, port, "/cut", apk, good, progress);
        File part = corrupted.listFiles()[0];
        byte[] bytes = Files.readAllBytes(part.toPath());
        bytes[5]++;
        Files.write(part.toPath(), bytes);
        equal("corrupted", attempt(corrupted, port, "/ok", apk, good, progress), "another hash, 0 left");
        equal("another file", attempt(folder(), port, "/wrong", apk, good, progress), "another hash, 0 left");
        equal("too long", attempt(folder(), port, "/long", apk, good, progress), "another size, 0 left");
        equal("truncated", attempt(folder(), port, "/short", apk, good, progress), "another size, 0 left");
        equal("redirected", attempt(folder(), port, "/away", apk, good, progress), "status 302, 0 left");
        equal("withdrawn", attempt(folder(), port, "/gone", apk, good, progress), "status 404, 0 left");
        equal("busy", attempt(folder(), port, "/busy", apk, good, progress), "again, 0 left");
        equal("no package", attempt(folder(), port, "/ok", apk, null, progress), "no package, 0 left");
        equal("another app", attempt(folder(), port, "/ok", apk, meta("evil", 3010019, "aa"), progress), "another package, 0 left");
        equal("downgrade", attempt(folder(), port, "/ok", apk, meta(SCHEME, 3010018, "aa"), progress), "an older version, 0 left");
        equal("another version", attempt(folder(), port, "/ok", apk, meta(SCHEME, 3010020, "aa"), progress), "another version, 0 left");
        equal("another signer", attempt(folder(), port, "/ok", apk, meta(SCHEME, 3010019, "bb"), progress), "another signer, 0 left");
        equal("no signer", attempt(folder(), port, "/ok", apk, new UpdateFile.Meta(SCHEME, 3010019, Collections.<String>emptySet()), progress), "another signer, 0 left");
        File old = folder();
        Files.write(new File(old, "older.apk").toPath(), new byte[9]);
        equal("an older download goes", attempt(old, port, "/ok", apk, good, progress), "installed, 1 left");
        server.stop(0);
    }

    private static File folder() throws Exception {
        return Files.createTempDirectory("update").toFile();
    }

    private static void printing() throws Exception {
        check("networks", PrintLine.isLocal(InetAddress.getByName("192.168.1.40"), false) && PrintLine.isLocal(InetAddress.getByName("10.0.0.9"), false)
            && PrintLine.isLocal(InetAddress.getByName("fd00::1"), false));
        for (String bad : new String[] {"8.8.8.8", "127.0.0.1", "0.0.0.0", "224.0.0.1", "2001:db8::1", "::1"}) check("not of this network: " + bad, !PrintLine.isLocal(InetAddress.getByName(bad), false));
        equal("the internet", PrintLine.send("8.8.8.8", 9100, new byte[1], 0, 100, true).status, "failed");
        byte[] job = "a receipt".getBytes();
        try (ServerSocket printer = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            byte[][] heard = {new byte[job.length]};
            new Thread(() -> {
                try (Socket line = printer.accept()) {
                    new java.io.DataInputStream(line.getInputStream()).readFully(heard[0]);
                    line.getOutputStream().write(new byte[] {0, 7});
                } catch (java.io.IOException e) {
                    heard[0] = null;
                }
            }).start();
            PrintLine.Result result = PrintLine.send("127.0.0.1", printer.getLocalPort(), job, 1, 2000, true);
            check("printed", result.status.equals("sent") && result.said.length == 1 && Arrays.equals(heard[0], job));
            new Thread(() -> {
                try (Socket line = printer.accept()) {
                    line.getInputStream().read();
                    Thread.sleep(600);
                } catch (Exception e) {
                    heard[0] = null;
                }
            }).start();
            equal("silent", PrintLine.send("127.0.0.1", printer.getLocalPort(), job, 1, 200, true).status, "unknown");
        }
        ServerSocket gone = new ServerSocket(0);
        int port = gone.getLocalPort();
        gone.close();
        equal("off", PrintLine.send("127.0.0.1", port, job, 1, 200, true).status, "failed");
    }
}
