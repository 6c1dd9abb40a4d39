/** Whether the browser is in data-saving mode. The page then fetches nothing in advance. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
