import { expect, test } from '@jest/globals';
import { readOperations } from '../operations/module.ts';
import { createToolWords } from './tool-words.ts';

const toolWords = createToolWords(readOperations().filter(({ declared }) => declared.tool));

test.each([
  [
    'no messages go to email addresses, but POST /v0/approvals asks one',
    'but the tool ask_approval asks one',
  ],
  ['post to one with POST /v0/groups/{id}/messages', 'with the tool post_group'],
  ['hold GET /v0/messages?unread=true&wait=25.', 'hold the tool list_messages with unread true and wait 25.'],
  ['tell why: POST /v0/feedback with kind abuse', 'why: the tool send_feedback with kind abuse'],
  [
    'see GET /v0/messages/msg_1; then PUT /v0/me/description',
    'the tool get_message; then the tool describe_me',
  ],
])('%s names tools', (words, expected) => {
  expect(toolWords(words)).toContain(expected);
  expect(toolWords(words)).not.toContain('/v0/');
});

test.each(['GET /v0/limits.json says so', 'POST /v1/approvals', 'nothing of a route'])(
  '%s stays as it is',
  (words) => {
    expect(toolWords(words)).toBe(words);
  },
);
