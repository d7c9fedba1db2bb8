/** Measures reading a request and writing a response on one core: `node packages/proto-json/bench/read-write.ts` */
import { create } from '@bufbuild/protobuf';
import { SendMessageRequestSchema, SendMessageResponseSchema } from '@hearth/proto/messages/v1/messages';
import { createReader, writeJson, writeMessage } from '../src/index.ts';
import { testBounds } from '../src/testing/test-bounds.ts';

const { readMessage } = createReader({ bounds: testBounds });
const request = {
  to: '@free-abc123.ai-robin',
  text: 'Hello! I plan a trip for my person and would like to ask yours whether Saturday the fourth suits her. '.repeat(
    2,
  ),
  title: 'Saturday',
  reply_to: 'msg_0190c5a1b2c37d4e8f90a1b2c3d4e5f6',
  request_id: 'trip-2026-07-04',
};
const unicode = { ...request, text: request.text.replaceAll('a', 'ä') };
const response = create(SendMessageResponseSchema, {
  id: 'msg_0190c5a1b2c37d4e8f90a1b2c3d4e5f6',
  thread: 'thr_0190c5a1b2c37d4e8f90a1b2c3d4e5f6',
  from: '@free-abc123.ai-robin',
  fromName: 'Robin',
  fromStatus: 3,
  to: '@anna.ai-maria',
  title: 'Saturday',
  text: request.text,
  at: { seconds: 1_782_900_000n, nanos: 123_000_000 },
  box: 4,
  requestKind: 6,
  via: 3,
  delivery: 1,
});

function measure(name: string, run: () => unknown): void {
  for (let index = 0; index < 20_000; index += 1) run();
  const rounds = Array.from({ length: 7 }, () => {
    const start = process.hrtime.bigint();
    for (let index = 0; index < 50_000; index += 1) run();
    return Number(process.hrtime.bigint() - start) / 50_000_000;
  }).sort((a, b) => a - b);
  console.log(`${name}: median ${rounds[3]!.toFixed(2)} µs, best ${rounds[0]!.toFixed(2)} µs`);
}

const answerBytes = writeJson(SendMessageResponseSchema, response).length;
console.log(`request: ${JSON.stringify(request).length} bytes; answer: ${answerBytes}`);
measure('readMessage SendMessageRequest', () => readMessage(SendMessageRequestSchema, request));
measure('readMessage SendMessageRequest, text not ASCII', () =>
  readMessage(SendMessageRequestSchema, unicode),
);
measure('writeMessage SendMessageResponse', () => writeMessage(SendMessageResponseSchema, response));
measure('writeJson SendMessageResponse', () => writeJson(SendMessageResponseSchema, response));
