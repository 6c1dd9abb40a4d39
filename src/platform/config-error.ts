/** A setting that cannot be used, explained to the person who starts the shop. It ends the start. */
export class ConfigError extends Error {}
