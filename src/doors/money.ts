import type { Phrase } from './phrase.ts';
import { isTestHost, isTestName } from './test-names.ts';
import { wordSet } from './text-words.ts';

/** Verbs that are only about money. */
const PAYS = wordSet('pay refund charge withdraw disburse purchase buy donate payout reimburse');
const MAKES = wordSet(
  'create make send issue execute submit place initiate process capture confirm approve schedule request broadcast',
);
const MONEY = wordSet(
  'refund refunds payout payouts transfer transfers payment payments charge charges withdrawal withdrawals wire donation purchase',
);
/** Only prepared, and not paid yet. */
const PREPARED = wordSet(
  'link links method methods intent intents page session form template plan type request reminder',
);
const ORDERS = wordSet('order orders trade trades transaction transactions swap');
const CONTRACTS = wordSet(
  'subscription subscriptions order orders booking bookings reservation reservations membership plan contract payment payout',
);
const ENDS = wordSet('cancel terminate end pause');
const TRADES = wordSet('place submit execute broadcast');
const FUNDS = wordSet('funds money balance tokens coins crypto eth sol btc usdc usd eur');

/** True if the words of a tool's name make, request or stop a payment. */
export function movesMoney({ place, input }: Phrase, named: readonly string[]): boolean {
  const [first = '', ...object] = named;
  if (place.includes('.') ? isTestHost(place) : isTestName(place)) return false;
  const has = (among: ReadonlySet<string>) => object.some((word) => among.has(word));
  const isPrepared = PREPARED.has(object.at(-1) ?? '');
  if (PAYS.has(first)) return !isPrepared || /intent|request/.test(object.at(-1) ?? '');
  if (/^(?:capture|confirm)$/.test(first)) return has(MONEY);
  if (MAKES.has(first) && has(MONEY) && !isPrepared && !object.some((word) => /^(?:files?|data)$/.test(word)))
    return true;
  // What is sent to a chain cannot be taken back.
  if (TRADES.has(first) || (/^(?:send|sign)$/.test(first) && object.includes('transaction')))
    return has(ORDERS);
  if (/^(?:finalize|finalise|send|void)$/.test(first) && object.some((word) => /^invoices?$/.test(word)))
    return true;
  if (ENDS.has(first)) return has(CONTRACTS);
  if (/^(?:upgrade|downgrade)$/.test(first))
    return object.some((word) => /^(?:plan|subscription|tier)$/.test(word));
  if (/^(?:transfer|send|swap)$/.test(first)) return has(FUNDS) || isSum(input);
  return false;
}

/** An amount of something that has a price. */
function isSum(input: Phrase['input']): boolean {
  const { amount, value } = input;
  const isAmount = [amount, value].some(
    (one) => typeof one === 'number' || /^\d+(?:[.,]\d+)?$/.test(String(one)),
  );
  return isAmount && ['currency', 'iban', 'asset', 'token', 'wallet', 'coin'].some((key) => key in input);
}
