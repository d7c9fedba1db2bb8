import { cursorOf } from '@hearth/paging';

/** A place in a list of what was asked or sent: its time and its uuid. */
export const cursor = cursorOf({ at: 'time', id: 'uuid' });
