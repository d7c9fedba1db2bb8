import type { Frame } from '@hearth/web';
import { type Context, frameWithZone, type PageRequest } from '../pages/module.ts';

/** The frame of a page with times and a link to the waiting requests; `waiting` if they were counted. */
export async function frameOfRequests(
  context: Pick<Context, 'ask' | 'config'>,
  request: PageRequest,
  waiting?: number,
): Promise<Frame> {
  const frame = await frameWithZone(context, request);
  return frame.person === undefined ? frame : { ...frame, requests: { waiting } };
}
