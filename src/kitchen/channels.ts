import { makeChannelNamePattern, type ChannelRule } from '#realtime/channels.ts';

const ofBoards = makeChannelNamePattern('presence-stores.', '.boards');

/** The presence channel of a store's order boards that are switched on. */
export const storeBoardsChannel = ofBoards.of;

export const boardChannels: readonly ChannelRule[] = [{ names: ofBoards, listeners: 'staff', isWatched: true }];
