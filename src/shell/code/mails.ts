import type { Call } from '../call.ts';

const SENDS =
  /\.(?:sendMail|sendEmail|send_email|sendmail|sendMultiple|send_message|sendBulkEmail|sendBulkTemplatedEmail|send_bulk_\w+|send_raw_email|deliver_now|deliver_later|deliver!)\b|\bsend_mass_mail\s*\(|\bnew Send(?:Bulk(?:Templated)?)?Email(?:Batch)?Command\b|\b(?:sgMail|sg|mail|resend\.emails|resend\.batch|postmark\w*|mailgun\w*|mg\.messages|(?:\w+\.)?messages|twilio\w*\.messages|messaging\(\))\.(?:send\w*|create)\s*\(/;
const LIBRARY =
  /nodemailer|smtplib|sendgrid|mailgun|postmark|resend|mailchimp|mailjet|brevo|sparkpost|twilio|ses(?:v2)?['"]|client-ses|\bSES(?:v2)?\b|django\.core\.mail|Mailer\b|net\/smtp|messaging/i;
/** Marks a loop over a list. */
const MANY =
  /\bfor\b|\.(?:map|forEach|each|find_each|each_slice|each_with_index|iterrows|itertuples)\b|sendMultiple|[Bb]ulk|send_mass_mail|Batch/;
/** Servers that catch mail on the developer's machine, and transports that send nothing. */
const CAUGHT =
  /localhost|127\.0\.0\.1|\bmail(?:hog|pit|catcher|dev)\b|ethereal|createTestAccount|jsonTransport|streamTransport|:1025\b|\bsandbox/i;

/** Detects a program that mails many people at once. */
export function sendsMails(call: Call, text: string): void {
  if (LIBRARY.test(text) && SENDS.test(text) && MANY.test(text) && !CAUGHT.test(text))
    call.resource('mail', 'send', false, null);
}
