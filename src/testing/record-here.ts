import { recordingVariable, recordStatements } from '#testing/record-statements.ts';

// Journeys load it before the server (`node --import`). Production never loads it.
const folder = process.env[recordingVariable];
if (folder) recordStatements(folder);
