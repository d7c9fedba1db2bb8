import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Marks, MarksSchema } from '@hearth/proto/batch/v1/batch';

export type { Marks };

/** What a handler says beside its answer travels as one binary metadata entry. */
export const marksKey = 'hearth-marks-bin';

export function noMarks(): Marks {
  return create(MarksSchema);
}

export function hasMarks(marks: Marks): boolean {
  return (
    marks.waitTopics.length > 0 ||
    marks.validTopics.length > 0 ||
    marks.validMs > 0 ||
    marks.httpStatus > 0 ||
    marks.restAfter !== ''
  );
}

export function encodeMarks(marks: Marks): Buffer {
  return Buffer.from(toBinary(MarksSchema, marks));
}

export function decodeMarks(bytes: Uint8Array): Marks {
  return fromBinary(MarksSchema, bytes);
}
