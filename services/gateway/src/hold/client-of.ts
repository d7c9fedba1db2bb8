import type { ServerResponse } from 'node:http';
import type { HeldClient } from './holds.ts';

/** The client of a held response. */
export function clientOf(response: ServerResponse): HeldClient {
  return {
    gone: () => response.destroyed,
    onGone(listener) {
      response.on('close', listener);
      return () => response.off('close', listener);
    },
  };
}
