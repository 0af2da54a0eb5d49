import MeshBluetoothHost

extension ATT {
    /// All kinds of packets of the specification.
    static let messages: [any AttributeMessage.Type] = [
        ErrorResponse.self, ExchangeMTURequest.self, ExchangeMTUResponse.self, FindInformationRequest.self,
        FindInformationResponse.self, FindByTypeValueRequest.self, FindByTypeValueResponse.self,
        ReadByTypeRequest.self, ReadByTypeResponse.self, ReadRequest.self, ReadResponse.self, ReadBlobRequest.self,
        ReadBlobResponse.self, ReadMultipleRequest.self, ReadMultipleResponse.self, ReadByGroupTypeRequest.self,
        ReadByGroupTypeResponse.self, WriteRequest.self, WriteResponse.self, PrepareWriteRequest.self,
        PrepareWriteResponse.self, ExecuteWriteRequest.self, ExecuteWriteResponse.self, Notification.self,
        Indication.self, Confirmation.self, ReadMultipleVariableRequest.self, ReadMultipleVariableResponse.self,
        MultipleNotification.self, WriteCommand.self, SignedWriteCommand.self,
    ]
}
