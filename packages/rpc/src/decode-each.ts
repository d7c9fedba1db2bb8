import { type DescMessage, fromBinary, type Message } from '@bufbuild/protobuf';

/** Decodes the messages of a stream of bytes. */
export async function* decodeEach(
  schema: DescMessage,
  stream: AsyncIterable<Uint8Array>,
): AsyncIterable<Message> {
  for await (const bytes of stream) yield fromBinary(schema, bytes);
}
