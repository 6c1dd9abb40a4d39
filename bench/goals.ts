let missed = 0;

/** Prints a line with its goal, and whether it was reached. */
export function tell(line: string, isMet: boolean, goal: string): void {
  if (!isMet) missed += 1;
  console.log(`  ${line}; goal: ${goal} ${isMet ? 'met' : 'MISSED'}`);
}

/** Ends the process, with 1 if a goal was missed. */
export function endWithGoals(): never {
  process.exit(missed > 0 ? 1 : 0);
}
