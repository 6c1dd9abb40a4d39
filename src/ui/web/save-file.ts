export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function jsonFile(content: unknown): Blob {
  return new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
}
