/** A setting that cannot be used, in words for whoever starts the shop. It ends the start. */
export class ConfigError extends Error {}
