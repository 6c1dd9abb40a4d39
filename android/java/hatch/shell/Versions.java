package hatch.shell;

/** Version names such as `3.10.18`, compared as numbers. */
final class Versions {
    private Versions() {}

    /** The three numbers, or null where it is no version. */
    static int[] parse(String name) {
        if (name == null) return null;
        String text = name.trim();
        if (text.startsWith("v") || text.startsWith("V")) text = text.substring(1);
        if (!text.matches("\\d{1,4}\\.\\d{1,3}(\\.\\d{1,3})?")) return null;
        String[] parts = text.split("\\.");
        int[] numbers = new int[3];
        for (int i = 0; i < parts.length; i++) numbers[i] = Integer.parseInt(parts[i]);
        return numbers[0] > 2099 ? null : numbers;
    }

    /** Whether `other` comes after `own`; what is no version never does. */
    static boolean isNewer(String other, String own) {
        int[] left = parse(other), right = parse(own);
        return left != null && right != null && code(left) > code(right);
    }

    /** 3.10.18 is 3010018. Android's limit is 2100000000. */
    static int code(int[] v) {
        return v[0] * 1_000_000 + v[1] * 1_000 + v[2];
    }
}
