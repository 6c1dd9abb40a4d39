/** The failure that a test card can be told to cause after it was approved. */
export const sandboxRefusals = ['capture', 'refund'] as const;
export type SandboxRefusal = (typeof sandboxRefusals)[number];
