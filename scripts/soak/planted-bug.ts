/** A mistake that somebody might make: a change of one file of the shop's code. */
export interface PlantedBug {
  bug: string;
  /** The test file that is run first, because it should find it. */
  test: string;
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
}
