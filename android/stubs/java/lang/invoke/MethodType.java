package java.lang.invoke;

public final class MethodType {}
