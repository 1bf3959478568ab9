//! [`Capabilities`]: one side of a contract.

use alloc::string::String;
use alloc::vec::Vec;

use super::Gap;

/// What a route was tested to serve, or what a request needs.
///
/// What is not stated is not there: a contract covers no more than it says, and a request needs no
/// more than it says. The default is nothing at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Capabilities {
    /// Kinds of input.
    pub inputs: Vec<InputKind>,
    /// How far the form of the output is guaranteed.
    pub structured_output: StructuredOutput,
    /// Tools and their form.
    pub tools: Vec<ToolForm>,
    /// The answer comes as a stream of events.
    pub streaming: bool,
    /// Tokens that input and output may have together.
    pub context: u64,
    /// Tokens of output at most.
    pub max_output: u64,
    /// What one provider alone has, by names of your own: `prompt_caching`, `citations`.
    pub features: Vec<String>,
}

/// A kind of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[allow(missing_docs, reason = "the names say it")]
pub enum InputKind {
    Text,
    Image,
    Audio,
    Video,
    Document,
}

impl InputKind {
    /// The name used in files and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            InputKind::Text => "text",
            InputKind::Image => "image",
            InputKind::Audio => "audio",
            InputKind::Video => "video",
            InputKind::Document => "document",
        }
    }
}

/// How far the form of an output is guaranteed; each step includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum StructuredOutput {
    /// Text.
    #[default]
    None,
    /// Well-formed JSON.
    Json,
    /// JSON that follows a schema given with the request.
    JsonSchema,
}

impl StructuredOutput {
    /// The name used in files and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            StructuredOutput::None => "none",
            StructuredOutput::Json => "json",
            StructuredOutput::JsonSchema => "json_schema",
        }
    }
}

/// A form of tools: "has tools" is not one thing, and a route may have one form and not another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum ToolForm {
    /// Functions with a JSON schema, called one at a time.
    Function,
    /// Several calls in one turn.
    Parallel,
    /// The caller can demand that a tool, or a certain one, is called.
    Forced,
    /// Arguments are guaranteed to follow the schema.
    Strict,
    /// Tools whose input is free text.
    Custom,
    /// Tools that the provider runs itself, such as a web search.
    Server,
}

impl ToolForm {
    /// The name used in files and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            ToolForm::Function => "function",
            ToolForm::Parallel => "parallel",
            ToolForm::Forced => "forced",
            ToolForm::Strict => "strict",
            ToolForm::Custom => "custom",
            ToolForm::Server => "server",
        }
    }
}

impl Capabilities {
    /// What `needs` asks for and this contract does not cover.
    pub fn gaps<'n>(&self, needs: &'n Capabilities) -> Vec<Gap<'n>> {
        let mut gaps = Vec::new();
        let inputs = needs.inputs.iter().filter(|kind| !self.inputs.contains(kind));
        gaps.extend(inputs.map(|kind| Gap::Input(*kind)));
        if needs.structured_output > self.structured_output {
            let (needed, there) = (needs.structured_output, self.structured_output);
            gaps.push(Gap::StructuredOutput { needed, there });
        }
        let tools = needs.tools.iter().filter(|form| !self.tools.contains(form));
        gaps.extend(tools.map(|form| Gap::Tools(*form)));
        if needs.streaming && !self.streaming {
            gaps.push(Gap::Streaming);
        }
        if needs.context > self.context {
            gaps.push(Gap::Context { needed: needs.context, there: self.context });
        }
        if needs.max_output > self.max_output {
            gaps.push(Gap::MaxOutput { needed: needs.max_output, there: self.max_output });
        }
        let features = needs.features.iter().filter(|name| !self.features.contains(name));
        gaps.extend(features.map(|name| Gap::Feature(name)));
        gaps
    }
}
