/** A plausible bug: a change of the shop's code. */
export interface PlantedBug extends CodeChange {
  bug: string;
  /** The test file that should find the bug, and runs first. */
  test: string;
  /** Changes that remove other guards, which would prevent the bug's effect. */
  also?: readonly CodeChange[];
}

export interface CodeChange {
  file: string;
  /** The replaced text, which occurs once in the file. */
  from: string;
  to: string;
}
