package java.lang.invoke;

/** What javac needs to write a lambda; D8 replaces every use of it. */
public class LambdaMetafactory {
    public static CallSite metafactory(
        MethodHandles.Lookup caller, String name, MethodType type, MethodType erased, MethodHandle body, MethodType actual) {
        return null;
    }

    public static CallSite altMetafactory(MethodHandles.Lookup caller, String name, MethodType type, Object... more) {
        return null;
    }
}
