import { isDay } from '@hearth/calendar';
import { badField } from '@hearth/errors';
import type { NewQuestion } from '@hearth/proto/decisions/v1/decisions';
import { endOfDay, readTime, requireAhead } from '../../shared/domain/read-time.ts';
import type { Question, QuestionKind } from './decision.ts';
import { questionKinds } from './enum-names.ts';
import { plain } from './propose.ts';

const usualPrompts: Readonly<Record<QuestionKind, string>> = {
  when: 'When?',
  choice: 'Which one?',
  bring: 'What do you bring?',
  text: 'What do you say?',
};

/** How to read times: in this zone, and only after this moment. */
interface Meant {
  zone: string | null;
  now: number;
}

/**
 * Reads the questions of a new decision.
 *
 * @param zone the zone for its times; null if unknown
 * @param now milliseconds since 1970
 * @throws bad_field if options are missing, duplicate, past or malformed; bad_request (time_zone_needed,
 * ambiguous_time)
 */
export function readQuestions(
  questions: readonly NewQuestion[],
  zone: string | null,
  now: number,
): Question[] {
  return questions.map(({ kind, prompt, options }, index) => {
    const name = questionKinds.nameOf(kind) as QuestionKind;
    const field = `questions[${index}]`;
    return {
      id: index + 1,
      kind: name,
      prompt: prompt ?? usualPrompts[name],
      options: readOptions(name, options, { zone, now }, field),
    };
  });
}

function readOptions(
  kind: QuestionKind,
  options: readonly string[],
  meant: Meant,
  field: string,
): readonly string[] {
  if (kind === 'bring' || kind === 'text') {
    if (options.length > 0)
      throw badField(
        `${field}.options`,
        `a question of the kind ${kind} has none: each answers in their own words`,
      );
    return [];
  }
  if (options.length < 2)
    throw badField(`${field}.options`, `must have 2 to 12 items; it has ${options.length}`);
  const read = kind === 'when' ? readTimes(options, meant, `${field}.options`) : options;
  const twice = read.findIndex((option, at) => read.findIndex((one) => plain(one) === plain(option)) < at);
  if (twice !== -1) throw badField(`${field}.options[${twice}]`, 'is there twice');
  return kind === 'when' ? [...read].sort() : read;
}

function readTimes(options: readonly string[], { zone, now }: Meant, field: string): string[] {
  const days = options.filter(isDay).length;
  if (days > 0 && days < options.length) throw badField(field, 'must be all local times, or all days');
  return options.map((option, index) => {
    const time = readTime(option, zone, `${field}[${index}]`);
    requireAhead(isDay(time) ? endOfDay(time) : Date.parse(time), now, `${field}[${index}]`);
    return time;
  });
}
