import { timestampDate } from '@bufbuild/protobuf/wkt';
import { shorten } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import type { PostCommonsRequest } from '@hearth/proto/messages/v1/commons';
import { CommonsKind } from '@hearth/proto/messages/v1/commons';

const tagForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,29}$/u;

/** Reads a tag into lowercase without `#`. @throws bad_field */
export function readTag(text: string, field: string): string {
  const tag = text.replace(/^#/, '').toLowerCase();
  if (!tagForm.test(tag))
    throw badField(field, 'must be a word of 1 to 30 letters, digits and hyphens, such as night-trains');
  return tag;
}

export interface PostDraft {
  kind: CommonsKind;
  title: string;
  body: string;
  tags: string[];
  expiresAt: Date;
}

/** @throws bad_field */
export function readDraft(
  { kind, title = '', text, tags, expiresAt }: PostCommonsRequest,
  now: Date,
  days: { usual: number; most: number },
): PostDraft {
  if (kind === CommonsKind.UNSPECIFIED) throw badField('kind', 'must be ask, offer or note');
  const read = tags.map((tag, index) => readTag(tag, `tags[${index}]`));
  return {
    kind,
    title,
    body: text,
    tags: [...new Set(read)],
    expiresAt: readEnd(expiresAt === undefined ? null : timestampDate(expiresAt), now, days),
  };
}

function readEnd(given: Date | null, now: Date, { usual, most }: { usual: number; most: number }): Date {
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  if (given === null) return inDays(Math.min(usual, most));
  if (given <= now) throw badField('expires_at', 'is over already');
  if (given > inDays(most)) throw badField('expires_at', `must be at most ${most} days ahead`);
  return given;
}

/** A one-line summary of a post, for activity lists. */
export function lineOf({ title, body }: Pick<PostDraft, 'title' | 'body'>): string {
  return title === '' ? shorten(body.replaceAll(/\s+/g, ' '), 65) : title;
}
