import type { Bounds } from '../field-rules.ts';

/** Numbers for the limits that fields name: those of a home without settings for them. */
export const testBounds: Bounds = new Map([
  ['away_note_characters', 140],
  ['group_name_characters', 80],
  ['group_post_characters', 4_000],
  ['group_reason_characters', 140],
  ['invite_uses', 500],
  ['invitee_characters', 60],
  ['join_note_characters', 200],
  ['keep_old_key_minutes', 1_440],
  ['mark_read_messages', 100],
  ['message_data_bytes', 16_384],
  ['message_text_characters', 8_000],
  ['message_title_characters', 140],
  ['name_characters', 40],
  ['note_characters', 4_000],
  ['note_groups', 50],
  ['page_entries', 100],
]);
