import type { Locator, Page } from '@playwright/test';

/** Seconds for a field, and for a tap, and the words that a person reads in a minute. */
const cost = { field: 6, tap: 3, words: 200 };

export interface PersonCount {
  fields: number;
  taps: number;
  words: number;
  minutes: number;
}

/**
 * Counts one person's work on pages: each field and tap, and the visible words. A line that the person has read before,
 * such as the navigation, is not read again.
 */
export class TapCounter {
  private fields = 0;
  private taps = 0;
  private words = 0;
  private readonly read: Set<string>;

  /** `before`: an earlier count of the same person, whose lines were read already. */
  constructor(before?: TapCounter) {
    this.read = new Set(before?.read);
  }

  async fill(field: Locator, text: string): Promise<void> {
    await field.fill(text);
    this.fields += 1;
  }

  /** Counts lines that the person types outside the pages. */
  typeElsewhere(lines: number): void {
    this.fields += lines;
  }

  async tap(target: Locator): Promise<void> {
    await this.look(target.page());
    await target.click();
    this.taps += 1;
  }

  async look(page: Page): Promise<void> {
    const text = await page.locator('body').innerText();
    for (const line of text.split('\n').map((each) => each.trim())) {
      if (line === '' || this.read.has(line)) continue;
      this.read.add(line);
      this.words += line.split(/\s+/).length;
    }
  }

  get count(): PersonCount {
    const { fields, taps, words } = this;
    const minutes = (fields * cost.field + taps * cost.tap) / 60 + words / cost.words;
    return { fields, taps, words, minutes: Math.round(minutes * 10) / 10 };
  }
}
