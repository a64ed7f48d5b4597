// Verifies a DSSE envelope with sigstore's own verifier and a public key: `node verify-envelope.cjs ENVELOPE KEY.pem`.
const { readFileSync } = require('node:fs');
const { createPublicKey } = require('node:crypto');
const { bundleFromJSON } = require('@sigstore/bundle');
const { toSignedEntity, toTrustMaterial, Verifier } = require('@sigstore/verify');

const [envelopePath, keyPath] = process.argv.slice(2);
const envelope = JSON.parse(readFileSync(envelopePath, 'utf8'));
const publicKey = createPublicKey(readFileSync(keyPath));
const bundle = bundleFromJSON({
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: { publicKey: { hint: envelope.signatures[0].keyid }, tlogEntries: [], timestampVerificationData: { rfc3161Timestamps: [] } },
  dsseEnvelope: envelope,
});
const trust = toTrustMaterial(
  { mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1', tlogs: [], certificateAuthorities: [], ctlogs: [], timestampAuthorities: [] },
  () => ({ publicKey, validFor: () => true }),
);
new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 }).verify(toSignedEntity(bundle));
console.log('verified');
