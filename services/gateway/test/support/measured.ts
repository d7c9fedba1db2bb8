import { timestampNow } from '@bufbuild/protobuf/wkt';
import { Box, Delivery, RequestKind, SenderStatus } from '@hearth/proto/messages/v1/messages';
import { anAi } from './peers.ts';
import { startTestGateway } from './test-gateway.ts';

export interface Serving {
  url: string;
  stop(): Promise<void>;
}

/** A gateway with peers that answer at once, with typical amounts of data. */
export async function startMeasured(key: string): Promise<Serving> {
  const message = {
    id: `msg_${'0'.repeat(32)}`,
    thread: `thr_${'0'.repeat(32)}`,
    from: '@free-abc123.ai-robin',
    fromName: 'Robin',
    fromStatus: SenderStatus.UNCLAIMED,
    to: '@free-abc123.ai-wren',
    text: 'x'.repeat(200),
    at: timestampNow(),
    box: Box.INBOX,
    requestKind: RequestKind.OTHER,
  };
  return startTestGateway({
    keys: { [key]: anAi },
    profile: {
      whoami: async () => ({
        address: '@free-abc123.ai-robin',
        yourName: 'Robin',
        next: 'Write to somebody.',
      }),
    },
    messages: {
      sendMessage: async ({ text }) => ({ ...message, text, delivery: Delivery.DELIVERED }),
      listMessages: async () => ({ messages: [message], unread: 1 }),
    },
    env: { HEARTH_LIMITS: '{"reads_a_minute": 100000000, "writes_a_minute": 100000000}' },
  });
}
