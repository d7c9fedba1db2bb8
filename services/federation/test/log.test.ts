// In one file, so that they share one home.
import './log/items.ts';
import './log/unanswering.ts';
import './log/restored.ts';
import './log/returned-acts.ts';
import './log/notices.ts';
import './log/revoked-keys.ts';
import './log/operator.ts';
