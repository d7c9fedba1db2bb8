import { second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { isMinor, shortenName } from '@hearth/people';
import { anonymous } from '@hearth/rpc';
import { findAppStreams } from '../../shared/db/app-streams.ts';
import type { MailSource } from '../../shared/db/mails.ts';
import { noticeWords } from '../../shared/domain/notice-words.ts';
import type { Context } from '../context.ts';
import type { MailRow } from '../db/mails.ts';
import { disabledMail } from '../domain/disabled-mail.ts';
import { type ComposedMail, readMail } from '../domain/mail.ts';
import { noticeMail } from '../domain/notice-mail.ts';
import { openGiven } from './give-mail.ts';
import { addWaysOut } from './ways-out.ts';

/**
 * A mail's current content; `refused` if it may no longer be sent, `invalid` if it is malformed, `away` while
 * the service that composes it is unavailable.
 */
export type Content = ComposedMail | 'refused' | 'invalid' | 'away';

type Composed = Omit<ComposedMail, 'kind' | Optional> & Partial<Pick<ComposedMail, Optional>>;
type Optional = 'calendar' | 'language' | 'reportable';

/**
 * Returns the content of each row in order, null if it may no longer be sent. Throws while the content is
 * unavailable.
 */
type Composer = (context: Context, rows: readonly MailRow[]) => Promise<(Composed | null)[]>;

/** A service that does not answer must not hold up other mails for long. */
const sourceTimeoutMs = 2 * second;

const composers: Readonly<Record<MailSource, Composer>> = {
  notice: composeNotices,
  app_disabled: composeDisabled,
  ask_mail: composeAsks,
  ask_reminder: composeAsks,
  invite_mail: (context, rows) => composeBySource(context, 'groups', rows),
  account_mail: (context, rows) => composeBySource(context, 'identity', rows),
  meeting_mail: (context, rows) => composeBySource(context, 'decisions', rows),
  given: async (context, rows) => rows.map((row) => openGiven(context, row)),
};

/** Composes mails, by mail id; asks each source once. */
export async function composeMails(
  context: Context,
  rows: readonly MailRow[],
): Promise<Map<string, Content>> {
  const bySource = [...Map.groupBy(rows, ({ source }) => composers[source])];
  const composed = await Promise.all(
    bySource.map(async ([compose, those]) => {
      const mails = await compose(context, those).catch((err: unknown) => {
        context.log.warn({ err, source: those[0]?.source }, 'mails wait for a part that is away');
        return null;
      });
      return those.map((row, index): [string, Content] => [
        row.id,
        mails === null ? 'away' : read(mails[index] ?? null, row.kind),
      ]);
    }),
  );
  return await addWaysOut(context, rows, new Map(composed.flat()));
}

function read(mail: Composed | null, kind: string): Content {
  if (mail === null) return 'refused';
  try {
    const { calendar, language = '', reportable = '' } = mail;
    const more = { language, reportable, ...(calendar !== undefined && { calendar }) };
    return { ...readMail({ ...mail, kind }), ...more };
  } catch (err) {
    if (isHearthError(err)) return 'invalid';
    throw err;
  }
}

/** Sent to the person's currently verified address. */
async function composeNotices(
  { config: { home, siteUrl }, languages, people }: Context,
  rows: readonly MailRow[],
): ReturnType<Composer> {
  const facts = await people.find(
    rows.flatMap(({ person, about }) => [person, about]).filter((id) => id !== null),
  );
  return rows.map(({ person, about, title, body, wording, kind, link }) => {
    const reader = facts.get(person ?? '');
    if (reader === undefined || reader.email === '' || title === null) return null;
    const language = languages.of(reader);
    const child = facts.get(about ?? '');
    const copy = noticeMail(
      {
        ...noticeWords({ title, body: body ?? '', wording }, language, reader.timeZone),
        about: child !== undefined && isMinor(child) ? shortenName(child.name) : '',
        kind,
        link: `${siteUrl}${link}`,
        siteUrl,
        home,
      },
      language,
    );
    return { to: reader.email, ...copy, html: '', language: language.tag };
  });
}

/** Sent to the contacts of apps whose address is still disabled. */
async function composeDisabled(
  { apps, config: { home }, database, languages }: Context,
  rows: readonly MailRow[],
): ReturnType<Composer> {
  const ids = rows.map(({ ref }) => ref!);
  const [{ results }, streams] = await Promise.all([
    apps.findApps({ ids }, { caller: anonymous, timeoutMs: sourceTimeoutMs }),
    findAppStreams(database.db, ids),
  ]);
  return ids.map((id, index) => {
    const facts = results[index]?.facts;
    const stream = streams.get(id);
    const why = stream?.disabledAt ? stream.disabledWhy : null;
    return facts === undefined || why === null
      ? null
      : {
          to: facts.contactEmail,
          ...disabledMail({ home, app: facts.name, why }, languages.of({})),
          html: '',
        };
  });
}

function composeAsks(context: Context, rows: readonly MailRow[]): ReturnType<Composer> {
  return composeBySource(context, 'approvals', rows);
}

async function composeBySource(
  { sources }: Context,
  source: keyof Context['sources'],
  rows: readonly MailRow[],
): ReturnType<Composer> {
  const asked = rows.map(({ source: kind, ref, part }) => ({ kind, id: ref ?? '', part }));
  const { sends } = await sources[source].prepareSends(
    { sends: asked },
    { caller: anonymous, timeoutMs: sourceTimeoutMs },
  );
  return sends.map(({ content }) => {
    if (content.case !== 'mail') return null;
    const { calendar: file, calendarMethod: method, ...mail } = content.value;
    return { ...mail, html: '', ...(file !== '' && { calendar: { method, file } }) };
  });
}
