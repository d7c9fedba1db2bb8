import type { Frame } from '@hearth/web';
import { type Context, frameWithZone, type PageRequest } from '../pages/module.ts';

/** The frame of a page that tells times and leads to what waits; `waiting` where it was counted. */
export async function frameOfRequests(
  context: Pick<Context, 'ask' | 'config'>,
  request: PageRequest,
  waiting?: number,
): Promise<Frame> {
  const frame = await frameWithZone(context, request);
  return frame.person === undefined ? frame : { ...frame, requests: { waiting } };
}
