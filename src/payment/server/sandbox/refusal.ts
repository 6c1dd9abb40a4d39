/** What a test card can be told to have go wrong after it was approved. */
export const sandboxRefusals = ['capture', 'refund'] as const;
export type SandboxRefusal = (typeof sandboxRefusals)[number];
