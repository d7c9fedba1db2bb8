import { quoted } from '@hearth/addresses';
import { momentWords } from '@hearth/calendar';

/** The content of an e-mail about an ask. */
export interface MailedAsk {
  title: string;
  details: string | null;
  from_name: string;
  from: string;
  name_verified: boolean;
  group: string | null;
  expires_at: Date;
  /** The home's, for the reader's is not known. */
  time_zone: string;
  link: string;
  home: string;
  reminder: boolean;
}

const longestQuote = 1_000;

/** The e-mail to a recipient who is asked by their e-mail address. Text of other people is quoted. */
export function askMail(ask: MailedAsk): { subject: string; text: string } {
  const { title, details, from_name, link, home } = ask;
  const who = ask.from === '' ? from_name : `${from_name} (${ask.from})`;
  const unverified = ask.name_verified ? '' : ' Nobody vouches for this name.';
  const where = ask.group === null ? '' : ` in ${ask.group}`;
  const lines = [
    `${who} asks you${where}:${unverified}`,
    '',
    quoted(title),
    ...(details === null ? [] : ['', quoted([...details].slice(0, longestQuote).join(''))]),
    '',
    'Read it and answer on this page:',
    link,
    '',
    `It can be answered until ${momentWords(ask.expires_at, ask.time_zone)}.`,
    `The text above was written by ${from_name}, not by ${home}. Whoever has the link can answer: keep it to yourself.`,
  ];
  return {
    subject: `${ask.reminder ? 'Reminder: ' : ''}${from_name} asks: ${title}`,
    text: `${lines.join('\n')}\n`,
  };
}
