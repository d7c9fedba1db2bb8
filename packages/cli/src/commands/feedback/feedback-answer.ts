import { UsageError } from '../../failure.ts';
import { quoted } from '../../plain.ts';
import { readWord } from '../../read-options.ts';
import { actCommand } from '../act-command.ts';

export const feedbackAnswer = actCommand({
  name: 'feedback answer',
  summary: 'Mark feedback as read or done, and reply to its sender',
  thing: 'feedback',
  id: 'id, as shown by hearth feedback list',
  options: {
    answer: { help: 'reply to the sender (get_feedback); required for done', optional: true },
    status: { help: 'read or done (default: done, which is final)', value: 'status', optional: true },
  },
  operation: 'answer_feedback',
  read({ values }) {
    const status = readWord(values, 'status', ['read', 'done']) ?? 'done';
    const { answer } = values;
    if (status === 'done' && (typeof answer !== 'string' || answer.trim() === ''))
      throw new UsageError('--answer is required');
    return { status, ...(answer !== undefined && { answer }) };
  },
  tell: ({ title, status }) => `${quoted(title)} is ${status}.`,
});
