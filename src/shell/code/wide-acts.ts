import type { Call } from '../call.ts';
import { makeWord } from '../word.ts';

// Wide or irreversible effects that only the text of a program as a whole shows.

const MONEY_LIBRARY =
  /\b(?:stripe|paypal\w*|braintree|square|adyen|wise|plaid|ethers|web3|viem|solana|solders|bitcoinlib|coinbase|ccxt|xrpl|tronweb)\b/i;
const PAYS =
  /\b(?:payouts?|transfers?|refunds?)\s*\.\s*create\w*\s*\(|\b(?:Payout|Transfer|Refund)::create\s*\(|\bcreate_?(?:payout|transfer|refund)\s*\(|\bsend_?(?:raw_?|signed_?)?transaction\w*\s*\(|\bsendAndConfirm\w*\s*\(|\bwithdraw\s*\(|\bcreate_(?:market|limit)_order\s*\(/i;
/** Test modes of payment services. */
const FOR_TRIAL =
  /sk_test|rk_test|_TEST_|TEST_|localhost|127\.0\.0\.1|hardhat|ganache|anvil|sepolia|goerli|holesky|devnet|testnet|sandbox|:8545/i;

function pays(call: Call, text: string): void {
  if (MONEY_LIBRARY.test(text) && PAYS.test(text) && !FOR_TRIAL.test(text))
    call.resource('http', 'pay', 'money', null);
}

const ALL_PROCESSES =
  /\bprocess_iter\s*\(|\bpsutil\.pids\s*\(|['"]\/proc(?:\/|['"])|\bps-list\b|\bps (?:-?a?u?x|-e|-A)/;
const KILLS =
  /\bos\.kill\s*\(|\.(?:kill|terminate)\s*\(|\bprocess\.kill\s*\(|\bProcess\.kill\b|\bposix_kill\s*\(|\bkill\s+(?:['"]?(?:SIG)?KILL|9)\b/;
/** Selects a process by name. */
const BY_NAME =
  /\bname\s*\(\)|\.name\b|cmdline|\.info\b|\bcomm\b|\bexe\b|\bargv\b|\.username\b|\bstatus\b|\bppid\b|\bchildren\b/;
/** Calls that stop every process of a user. */
const KILLS_ALL =
  /\b(?:os|process|Process)\.kill\s*\(\s*(?:(['"]?)(?:SIG)?KILL\1\s*,\s*)?-1\b|\bposix_kill\s*\(\s*-1\b|\bkill\s*\(?\s*(?:['"]?KILL['"]?|9)\s*,\s*-1\b/;

function stopsAll(call: Call, text: string): void {
  const isAll = ALL_PROCESSES.test(text) && KILLS.test(text) && !BY_NAME.test(text);
  if (isAll || KILLS_ALL.test(text)) call.system('shutdown', null);
}

/** `find(sub { unlink }, '/srv')` in Perl, without a name test. */
const FINDS =
  /\bfind(?:depth)?\s{0,9}\(\s{0,9}(?:\{[^}]{0,200}\bsub\b|sub\b|\\&)([^;]{0,400}?)\}\s{0,9}\}?\s{0,9},\s{0,9}(['"])([^'"\n]{1,300})\2/;

function removesFound(call: Call, text: string): void {
  const [, body = '', , place = ''] = FINDS.exec(text.slice(0, LONGEST)) ?? [];
  if (place === '' || !/\b(?:unlink|rmdir|rmtree|remove_tree)\b/.test(body)) return;
  // A name or age test spares other files.
  if (!/=~|\/[^/\s][^/]*\/|\s-[MCA]\b/.test(body)) call.remove(makeWord(place, place), true, true);
}

const LONGEST = 16 * 1024;

/** All variables at once, and not one of them. */
const PRINTS_VARIABLES =
  /\b(?:print|pprint|console\.(?:log|table|dir|info)|puts|pp?|print_r|var_dump|inspect|echo|stdout\.write)\b[^;\n]{0,60}?\b(?:os\.environ(?!\s{0,3}(?:\[|\.get\b))|process\.env(?!\s{0,3}(?:\[|\??\.))|Deno\.env\.toObject|Bun\.env(?!\s{0,3}(?:\[|\.))|getenv\(\s*\)|\$_ENV(?!\s{0,3}\[)|ENV(?:\.(?:to_h|to_a|inspect|sort))?\s{0,3}(?:[);\n]|$))/;

function printsVariables(call: Call, text: string): void {
  if (PRINTS_VARIABLES.test(text)) call.resource('environment', 'print', 'secret', null);
}

/** Adds effects that no single call of the program shows. */
export function wideActs(call: Call, text: string, isPerl: boolean): void {
  pays(call, text);
  stopsAll(call, text);
  printsVariables(call, text);
  if (isPerl) removesFound(call, text);
}
