import { UsageError } from '../../failure.ts';
import { quoted } from '../../plain.ts';
import { readWord } from '../../read-options.ts';
import { actCommand } from '../act-command.ts';

export const feedbackAnswer = actCommand({
  name: 'feedback answer',
  summary: 'say that feedback was read, or is done, with an answer to its sender',
  thing: 'feedback',
  id: 'the id, as hearth feedback list shows it',
  options: {
    answer: { help: 'the sender reads it with get_feedback; needed for done', optional: true },
    status: { help: 'read, or done when not given. Done is for good', value: 'status', optional: true },
  },
  operation: 'answer_feedback',
  read({ values }) {
    const status = readWord(values, 'status', ['read', 'done']) ?? 'done';
    const { answer } = values;
    if (status === 'done' && (typeof answer !== 'string' || answer.trim() === ''))
      throw new UsageError('--answer is missing');
    return { status, ...(answer !== undefined && { answer }) };
  },
  tell: ({ title, status }) => `${quoted(title)} is ${status}.`,
});
