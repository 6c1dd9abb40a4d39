import { thoroughBrotliSettings } from '#platform/server/prebuild.ts';

// Journeys load it before the server (`node --import`): each reset and edit of a menu would compress its pages for half
// a second, for one or two visits. Production never loads it.
thoroughBrotliSettings.quality = 5;
