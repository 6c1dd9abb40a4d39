import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from '@swc/core';

const src = join(import.meta.dirname, '..');

/** A part of a parsed file; `type` as in SWC's syntax tree. */
export interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

/** The files under `src/` that the product consists of, as paths below it: no tests, migrations or generated files. */
export function productFiles(ending: RegExp = /\.tsx?$/): string[] {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(src, join(entry.parentPath, entry.name)))
    .filter((path) => ending.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !/(^|\/)(testing|migrations|messages\.gen)\//.test(path));
}

export function readSource(path: string): string {
  return readFileSync(join(src, path), 'utf8');
}

/** Every node of a file, outer ones first. */
export function nodesOf(path: string): SyntaxNode[] {
  return nodesIn(readSource(path), path.endsWith('x'));
}

export function nodesIn(text: string, tsx = false): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('type' in part && typeof part.type === 'string') nodes.push(part as SyntaxNode);
    for (const each of Object.values(part)) visit(each);
  };
  visit(parseSync(text, { syntax: 'typescript', tsx }));
  return nodes;
}
