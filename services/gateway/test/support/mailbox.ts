import type { TestGatewayOptions } from './test-gateway.ts';

/** Messages that a poll waits for: it is woken by the topic "inbox". */
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
