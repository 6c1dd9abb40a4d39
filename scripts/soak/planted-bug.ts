/** A mistake that somebody might make: a change of the shop's code. */
export interface PlantedBug extends CodeChange {
  bug: string;
  /** The test file that is run first, because it should find it. */
  test: string;
  /** Other guards against the same loss, which are taken out too. */
  also?: readonly CodeChange[];
}

export interface CodeChange {
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
}
