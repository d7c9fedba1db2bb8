import { internal } from '@hearth/errors';

/**
 * Format of a batch in one message: a version byte, then each event as its length (4 bytes, big endian) and
 * its bytes.
 */
const version = 1;
const headBytes = 1;
const lengthBytes = 4;

export function encodeFrame(events: readonly Uint8Array[]): Uint8Array {
  const frame = new Uint8Array(headBytes + events.reduce((sum, event) => sum + framedSize(event), 0));
  const view = new DataView(frame.buffer);
  frame[0] = version;
  let at = headBytes;
  for (const event of events) {
    view.setUint32(at, event.length);
    frame.set(event, at + lengthBytes);
    at += framedSize(event);
  }
  return frame;
}

/** The events of a frame, as views into it. Throws if the frame is malformed. */
export function decodeFrame(frame: Uint8Array): Uint8Array[] {
  if (frame[0] !== version)
    throw internal(`a bus message begins with ${frame[0]}, not with version ${version}`);
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const events: Uint8Array[] = [];
  let at = headBytes;
  while (at < frame.length) {
    if (at + lengthBytes > frame.length) throw internal('a bus message ends inside a length');
    const end = at + lengthBytes + view.getUint32(at);
    if (end > frame.length) throw internal('a bus message ends inside an event');
    events.push(frame.subarray(at + lengthBytes, end));
    at = end;
  }
  return events;
}

/**
 * Splits the events, in order, into runs whose frames have at most `maxBytes`; a larger event forms its own
 * run.
 */
export function splitForFrames(events: readonly Uint8Array[], maxBytes: number): Uint8Array[][] {
  const runs: Uint8Array[][] = [];
  let run: Uint8Array[] = [];
  let size = headBytes;
  for (const event of events) {
    if (run.length > 0 && size + framedSize(event) > maxBytes) {
      runs.push(run);
      run = [];
      size = headBytes;
    }
    run.push(event);
    size += framedSize(event);
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

/** The largest event that fits a frame of `maxBytes`. */
export function largestEvent(maxBytes: number): number {
  return maxBytes - headBytes - lengthBytes;
}

function framedSize(event: Uint8Array): number {
  return lengthBytes + event.length;
}
