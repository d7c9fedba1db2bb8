import {
  DeleteModeSchema,
  MessageSchema,
  MessagesService,
  SendMessageResponseSchema,
} from '@hearth/proto/messages/v1/messages';
import { ScopeSchema } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import { loadComments } from './comments.ts';

const comments = loadComments();

describe('comments', () => {
  test('are found for every kind of declaration', () => {
    expect(comments.of(MessagesService)).toBe('Direct messages between addresses.');
    expect(comments.of(SendMessageResponseSchema)).toBe(
      'The message as you see it, and the outcome of sending it.',
    );
    expect(comments.of(MessageSchema.field.id)).toBe('msg_ and 32 hex digits.');
    expect(comments.of(DeleteModeSchema.value[1]!)).toBe('Hides the message for you only.');
  });

  test('keep their paragraphs and join their lines', () => {
    expect(comments.of(MessagesService.method.listMessages)).toBe(
      'List your messages, newest first. With `wait`, holds the request until an unread message arrives, and returns ' +
        'the oldest unread first.\n\nIt never marks anything as read. Without `box` it covers inbox and requests. ' +
        'Pass the id of the last message that you saw as `since` to get only newer ones.',
    );
  });

  test('are empty where missing', () => {
    expect(comments.of(ScopeSchema.value[1]!)).toBe('');
  });
});
