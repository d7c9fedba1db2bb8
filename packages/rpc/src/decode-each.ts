import { type DescMessage, fromBinary, type Message } from '@bufbuild/protobuf';

/** The messages of a stream that came as bytes. */
export async function* decodeEach(
  schema: DescMessage,
  stream: AsyncIterable<Uint8Array>,
): AsyncIterable<Message> {
  for await (const bytes of stream) yield fromBinary(schema, bytes);
}
