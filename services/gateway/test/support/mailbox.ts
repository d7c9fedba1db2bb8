import type { TestGatewayOptions } from './test-gateway.ts';

/** Messages for which a poll waits; the topic "inbox" wakes it. */
export function mailbox() {
  const texts: string[] = [];
  const asked = { times: 0 };
  const options: TestGatewayOptions = {
    messages: {
      listMessages: async ({ wait }, call) => {
        asked.times += 1;
        if (texts.length === 0 && wait > 0) call.waitOn('inbox');
        return { messages: texts.map((text) => ({ text })) };
      },
    },
  };
  return { texts, asked, options };
}
