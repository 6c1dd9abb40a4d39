import type { CDPSession, Page } from '@playwright/test';

/** Each session restores its own size when a page loads, so a page has one. */
const sessions = new WeakMap<Page, CDPSession>();

/** Sets the text size as a person does in the browser's settings: 100 is 16 px. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const standard = (16 * percent) / 100;
  await session.send('Page.setFontSizes', { fontSizes: { standard, fixed: Math.round((13 * percent) / 100) } });
}

/**
 * The faults of large text in the page's current state, one line each: a page that scrolls sideways, text beyond its
 * side or cut off, text over other text, and a word that is broken in two.
 */
export async function findLostText(page: Page): Promise<string[]> {
  // Moving elements must have reached their place.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((each) => each.effect?.getTiming().iterations !== Infinity).map((each) => each.finished.catch(() => {})))',
  );
  return page.evaluate<string[]>(script);
}

// Runs in the page.
const script = `(() => {
  const faults = new Set();
  const root = document.scrollingElement;
  const width = root.clientWidth;
  if (root.scrollWidth > width) faults.add('the page is ' + root.scrollWidth + ' px wide');
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  const place = dialog ?? document.body;
  if (place.scrollWidth > place.clientWidth) faults.add('its place is ' + place.scrollWidth + ' px wide');
  const shown = (text) => '“' + text.trim().slice(0, 40) + '”';
  // A word that must not be broken: up to twelve letters.
  const words = /(?<![\\p{L}\\p{M}\\p{N}.@-])[\\p{L}\\p{M}\\p{N}’]{2,12}(?![\\p{L}\\p{M}\\p{N}.@’-])/gu;
  const pieces = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) continue;
    if (element.closest('select, noscript, script, style, .sr-only, .allergens .kind, .only-print')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let rects = [...range.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1);
    if (rects.length === 0) continue;
    let isScrolled = false;
    let isCut = false;
    let layer = '';
    for (let around = element; around && around !== place.parentElement; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (/fixed|sticky|absolute/.test(style.position)) layer += around.tagName + around.className;
      const box = around.getBoundingClientRect();
      // Only for screen readers.
      if (box.width <= 1 || box.height <= 1) isCut = true;
      if (isCut) break;
      if (around === place || around === document.body || style.display === 'inline') continue;
      const isClamped = style.webkitLineClamp !== 'none' || style.textOverflow === 'ellipsis';
      if (/auto|scroll/.test(style.overflowX) && around.scrollWidth > around.clientWidth) isScrolled = true;
      if (style.overflowX === 'visible') continue;
      for (const rect of rects) {
        if (!isScrolled && !isClamped && (rect.right > box.right + 1 || rect.left < box.left - 1)) faults.add('cut off: ' + shown(node.data));
        if (!isClamped && /hidden|clip/.test(style.overflowY) && (rect.bottom > box.bottom + 8 || rect.top < box.top - 8)) faults.add('cut off: ' + shown(node.data));
      }
      // Text that is scrolled away, or cut at the end of a clamped text, is over nothing.
      rects = rects.filter((rect) => rect.bottom <= box.bottom + 8 && rect.top >= box.top - 8);
    }
    if (isCut) continue;
    if (!isScrolled) {
      for (const rect of rects) {
        if (rect.right > width + 1 || rect.left < -1) faults.add('beyond the side: ' + shown(node.data));
      }
      {
        for (const { 0: word, index } of node.data.matchAll(words)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = [...range.getClientRects()].filter((rect) => rect.width > 0);
          if (lines.length > 1 && lines.at(-1).top > lines[0].bottom - 2) faults.add('broken: ' + word + ' of ' + shown(node.data));
        }
      }
    }
    if (!isScrolled) for (const rect of rects) pieces.push({ rect, text: node.data, element, layer });
  }
  pieces.sort((one, other) => one.rect.top - other.rect.top);
  pieces.forEach((one, index) => {
    for (const other of pieces.slice(index + 1)) {
      if (other.rect.top > one.rect.bottom) break;
      if (other.element === one.element || other.layer !== one.layer) continue;
      const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const down = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      // Lines with a small line height share the room above their letters.
      if (across > 2 && down > Math.min(one.rect.height, other.rect.height) / 3) faults.add(shown(one.text) + ' on ' + shown(other.text));
    }
  });
  return [...faults];
})()`;
