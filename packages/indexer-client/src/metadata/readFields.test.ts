import { expect, test } from "vitest";
import { publicGateways } from "./locate.ts";
import { readFields } from "./readFields.ts";

const cid = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";
const read = (document: object) => readFields(JSON.stringify(document), publicGateways);

test("ERC-721 with the fields of marketplaces, as Move tokens have it", () => {
  const document = {
    name: "Bird #1",
    description: "A bird.",
    image: `ipfs://${cid}/1.png`,
    animation_url: `ar://${"a".repeat(43)}`,
    external_url: "https://birds.example/1",
    attributes: [
      { trait_type: "Color", value: "red" },
      { trait_type: "Age", value: 7, display_type: "number" },
      { value: true },
      { trait_type: "Broken", value: ["red"] },
      "red",
      null,
    ],
  };
  expect(read(document)).toEqual({
    name: "Bird #1",
    description: "A bird.",
    image: `https://ipfs.io/ipfs/${cid}/1.png`,
    animationUrl: `https://arweave.net/${"a".repeat(43)}`,
    externalUrl: "https://birds.example/1",
    attributes: [
      { trait: "Color", value: "red" },
      { trait: "Age", value: 7, displayType: "number" },
      { trait: "", value: true },
    ],
    raw: document,
  });
});

test("ERC-1155 with properties", () => {
  const properties = { color: "red", wings: { name: "Wings", value: 2, class: "emphasis" }, files: [{ uri: "x" }] };
  expect(read({ name: "Bird", image_url: "https://birds.example/1.png", properties })).toMatchObject({
    image: "https://birds.example/1.png",
    attributes: [
      { trait: "color", value: "red" },
      { trait: "wings", value: 2 },
    ],
  });
});

test("cw721 with metadata on the chain", () => {
  const document = {
    name: "Bird",
    description: "",
    image: null,
    image_data: "<svg>#\ud800ü</svg>",
    external_url: null,
    animation_url: null,
    youtube_url: "https://video.example",
    background_color: "ff0000",
    attributes: [{ display_type: null, trait_type: "Color", value: "red" }],
  };
  expect(read(document)).toEqual({
    name: "Bird",
    image: "data:image/svg+xml,%3Csvg%3E%23%C3%BC%3C%2Fsvg%3E",
    attributes: [{ trait: "Color", value: "red" }],
    raw: document,
  });
});

test("a document without known fields has none", () => {
  const nothing = { attributes: [], raw: {} };
  expect(read({})).toEqual(nothing);
  for (const attributes of [null, "red", 7]) expect(read({ attributes }).attributes).toEqual([]);
});

test.each([
  "javascript:alert(1)",
  " JavaScript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "vbscript:x",
  "blob:https://birds.example/1",
  "file:///etc/passwd",
  "http://birds.example/1.png",
  "data:text/html,<script>alert(1)</script>",
  "https://bank.example@birds.example/",
  "//birds.example/1.png",
  "1.png",
  "",
  7,
  { toString: 7 },
  ["https://birds.example/1.png"],
])("the link %j is left out", (link) => {
  const metadata = read({ image: link, image_url: link, image_data: link, animation_url: link, external_url: link });
  expect(metadata).toEqual({ attributes: [], raw: expect.anything() as unknown });
});

test("data of an image stays, but not as a page to go to", () => {
  const image = "data:image/png;base64,iVBORw0KGgo=";
  const metadata = read({ image, animation_url: "data:video/mp4;base64,AAAA", external_url: image });
  expect(metadata).toMatchObject({ image, animationUrl: "data:video/mp4;base64,AAAA", externalUrl: undefined });
});
