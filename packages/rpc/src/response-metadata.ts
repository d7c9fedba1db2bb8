import { create, toBinary } from '@bufbuild/protobuf';
import { type ResponseMetadata, ResponseMetadataSchema } from '@hearth/proto/batch/v1/batch';

export type { ResponseMetadata };

/** The response metadata travels as one binary entry. */
export const metadataKey = 'hearth-marks-bin';

export function noMetadata(): ResponseMetadata {
  return create(ResponseMetadataSchema);
}

export function hasMetadata(metadata: ResponseMetadata): boolean {
  return (
    metadata.waitTopics.length > 0 ||
    metadata.validTopics.length > 0 ||
    metadata.validMs > 0 ||
    metadata.httpStatus > 0 ||
    metadata.takesCarried ||
    metadata.caughtUpAfter !== ''
  );
}

export function encodeMetadata(metadata: ResponseMetadata): Buffer {
  return Buffer.from(toBinary(ResponseMetadataSchema, metadata));
}
