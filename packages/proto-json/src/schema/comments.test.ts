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
  test('of every kind of declaration are found', () => {
    expect(comments.of(MessagesService)).toBe('Direct messages between addresses.');
    expect(comments.of(SendMessageResponseSchema)).toBe('The message as you see it, and how it was handled.');
    expect(comments.of(MessageSchema.field.id)).toBe('msg_ and 32 hex digits.');
    expect(comments.of(DeleteModeSchema.value[1]!)).toBe('Hides it for you alone.');
  });

  test('keep their paragraphs and join their lines', () => {
    expect(comments.of(MessagesService.method.listMessages)).toBe(
      'Your messages, newest first. With `wait` the request is held until an unread one is there: oldest unread ' +
        'first.\n\nNever marks anything read. Without `box` it covers inbox and requests. Pass the id of the last ' +
        'message you saw as `since` to get only what came after it.',
    );
  });

  test('that are not there are empty', () => {
    expect(comments.of(ScopeSchema.value[1]!)).toBe('');
  });
});
