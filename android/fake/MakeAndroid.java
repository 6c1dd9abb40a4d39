import static org.objectweb.asm.Opcodes.*;

import java.io.FileOutputStream;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Makes a platform for the JVM of android.jar, whose every method throws: here every method asks `phone.Phone`. */
public final class MakeAndroid {
    private static final String[] BOXES = {null, "Boolean", "Character", "Byte", "Short", "Integer", "Float", "Long", "Double"};

    public static void main(String[] args) throws Exception {
        try (ZipFile in = new ZipFile(args[0]); ZipOutputStream out = new ZipOutputStream(new FileOutputStream(args[1]))) {
            for (ZipEntry entry : Collections.list(in.entries())) {
                String name = entry.getName();
                if (!name.matches("(android|org/xmlpull)/.*\\.class")) continue;
                ClassNode made = new ClassNode();
                new ClassReader(in.getInputStream(entry)).accept(made, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
                change(made);
                ClassWriter writer = new ClassWriter(0);
                made.accept(writer);
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(writer.toByteArray());
                out.closeEntry();
            }
        }
    }

    private static void change(ClassNode made) {
        boolean isInterface = (made.access & ACC_INTERFACE) != 0;
        made.access &= isInterface ? ~ACC_FINAL : ~(ACC_FINAL | ACC_ABSTRACT);
        // Of a version that needs no stack maps.
        made.version = V1_6;
        // Younger than android.jar: what the app calls by name there.
        if (made.name.equals("android/app/Activity")) add(made, "getOnBackInvokedDispatcher", "()Landroid/window/OnBackInvokedDispatcher;");
        if (made.name.equals("android/webkit/WebView")) {
            made.methods.add(new MethodNode(ACC_PUBLIC | ACC_STATIC, "getCurrentWebViewPackage", "()Landroid/content/pm/PackageInfo;", null, null));
        }
        if (made.name.equals("android/content/pm/PackageManager")) add(made, "canRequestPackageInstalls", "()Z");
        if (made.name.equals("android/content/pm/PackageInstaller$SessionParams")) add(made, "setRequireUserAction", "(I)V");
        if (made.name.equals("android/content/Context")) {
            add(made, "startForegroundService", "(Landroid/content/Intent;)Landroid/content/ComponentName;");
        }
        if (made.name.equals("android/app/Service")) add(made, "startForeground", "(ILandroid/app/Notification;I)V");
        for (MethodNode method : made.methods) {
            method.access &= ~(ACC_FINAL | ACC_NATIVE);
            if (isInterface || method.name.equals("<clinit>")) continue;
            method.access &= ~ACC_ABSTRACT;
            ask(made, method);
        }
    }

    private static void add(ClassNode made, String name, String form) {
        made.methods.add(new MethodNode(ACC_PUBLIC, name, form, null, null));
    }

    private static void ask(ClassNode made, MethodNode method) {
        Type[] parameters = Type.getArgumentTypes(method.desc);
        Type result = Type.getReturnType(method.desc);
        boolean isStatic = (method.access & ACC_STATIC) != 0, isConstructor = method.name.equals("<init>");
        InsnList body = isConstructor ? upToThrow(method) : new InsnList();
        if (isConstructor) method.access = method.access & ~(ACC_PRIVATE | ACC_PROTECTED) | ACC_PUBLIC;
        int slot = isStatic ? 0 : 1;
        body.add(isStatic ? new InsnNode(ACONST_NULL) : new VarInsnNode(ALOAD, 0));
        body.add(new LdcInsnNode(made.name.replace('/', '.') + "." + method.name));
        body.add(new LdcInsnNode(result.getDescriptor()));
        body.add(new IntInsnNode(BIPUSH, parameters.length));
        body.add(new TypeInsnNode(ANEWARRAY, "java/lang/Object"));
        for (int i = 0; i < parameters.length; i++) {
            body.add(new InsnNode(DUP));
            body.add(new IntInsnNode(BIPUSH, i));
            body.add(new VarInsnNode(parameters[i].getOpcode(ILOAD), slot));
            slot += parameters[i].getSize();
            box(body, parameters[i]);
            body.add(new InsnNode(AASTORE));
        }
        String ask = "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/Object;";
        body.add(new MethodInsnNode(INVOKESTATIC, "phone/Phone", "ask", ask, false));
        if (result.getSort() == Type.VOID) body.add(new InsnNode(POP));
        else unbox(body, result);
        body.add(new InsnNode(result.getOpcode(IRETURN)));
        method.instructions = body;
        method.tryCatchBlocks.clear();
        method.localVariables = null;
        method.maxStack = 12;
        method.maxLocals = slot + 2;
    }

    /** A constructor's call of the one above it, before the throw. */
    private static InsnList upToThrow(MethodNode method) {
        InsnList body = method.instructions;
        boolean isOver = false;
        for (AbstractInsnNode node = body.getFirst(); node != null; ) {
            AbstractInsnNode next = node.getNext();
            boolean isThrown = node.getOpcode() == NEW && ((TypeInsnNode) node).desc.equals("java/lang/RuntimeException");
            isOver |= isThrown;
            if (isOver || node.getOpcode() == RETURN) body.remove(node);
            node = next;
        }
        return body;
    }

    private static void box(InsnList body, Type type) {
        if (type.getSort() < Type.BOOLEAN || type.getSort() > Type.DOUBLE) return;
        String box = "java/lang/" + BOXES[type.getSort()];
        body.add(new MethodInsnNode(INVOKESTATIC, box, "valueOf", "(" + type.getDescriptor() + ")L" + box + ";", false));
    }

    private static void unbox(InsnList body, Type type) {
        if (type.getSort() < Type.BOOLEAN || type.getSort() > Type.DOUBLE) {
            body.add(new TypeInsnNode(CHECKCAST, type.getInternalName()));
            return;
        }
        String box = "java/lang/" + BOXES[type.getSort()];
        body.add(new TypeInsnNode(CHECKCAST, box));
        body.add(new MethodInsnNode(INVOKEVIRTUAL, box, type.getClassName() + "Value", "()" + type.getDescriptor(), false));
    }
}
