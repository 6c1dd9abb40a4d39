/** Whether the browser is in data-saving mode. Nothing is then fetched that the page may not need. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
